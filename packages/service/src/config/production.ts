import { isLiveSource, isLoopback, type Options } from './options.ts'

/**
 * Everything that is wrong with a configuration for strangers and real money, although each variable is valid. `isIngest`: the
 * node has no readers.
 */
export function productionProblems(options: Options, isIngest: boolean): string[] {
  const { source, dataDir, logUrls, databaseUrl } = options
  const problems: (string | false)[] = [
    !isLiveSource(source) && 'SOURCE has to follow the chain: yellowstone: or rpc:',
    !dataDir.startsWith('/') && `DATA_DIR=${dataDir} depends on where the program is started: give an absolute path`,
    logUrls !== null &&
      !isIngest &&
      databaseUrl === null &&
      'LOG_URL needs DATABASE_URL: the nodes share accounts and books',
    ...(isIngest ? [] : ofReaders(options)),
  ]
  return problems.filter((one) => one !== false)
}

function ofReaders({ publicUrl, payments, trustedProxies, contact, logUrls, rateLimits }: Options): (string | false)[] {
  const { protocol, hostname } = new URL(publicUrl)
  return [
    (protocol !== 'https:' || isLoopback(hostname)) &&
      `PUBLIC_URL=${publicUrl} has to be the https address that clients use: a proxy in front ends TLS`,
    trustedProxies.length === 0 &&
      'TRUSTED_PROXIES has to name the proxy that ends TLS: without it all clients share the limits of one address',
    payments.mode === 'sandbox' && 'PAYMENTS=sandbox sells for play money: set it to off, facilitator or self',
    payments.playMoney && 'ALLOW_PLAY_MONEY=1 takes money of no value: remove it',
    logUrls !== null && rateLimits === 'memory' && 'RATE_LIMITS has to be shared: several nodes count each call once',
    contact === null &&
      'CONTACT has to name who hears of a flaw, as mailto:ADDRESS or an https URL: security.txt says so',
  ]
}
