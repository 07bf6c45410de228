import { lookup, Resolver } from 'node:dns/promises'

/**
 * The two places where requests touch the network before a byte is sent. The filter sits between them: every resolved
 * address is checked, and only checked addresses are dialled. Tests replace them, to simulate public hosts on loopback;
 * production uses `SYSTEM_NETWORK`.
 */
export interface Network {
  /** every address of a name; `house`: the operator's own, which this machine's tables may know */
  resolve(host: string, house: boolean, signal: AbortSignal): Promise<readonly string[]>
  /** the host and port to dial for a checked address: the address itself, except in tests */
  dial(address: string, port: number): { readonly host: string; readonly port: number }
  /** certificates to trust instead of the system's, PEM */
  readonly ca?: string
}

/** `servers`: name servers instead of the system's, for tests. */
export const createSystemNetwork = (servers: readonly string[] = []): Network => ({
  resolve: (host, house, signal) => (house ? systemAddresses(host) : publicAddresses(host, servers, signal)),
  dial: (host, port) => ({ host, port }),
})

export const SYSTEM_NETWORK = createSystemNetwork()

async function systemAddresses(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/**
 * From name servers only: no table of this machine, no list of domains to complete names with, and none of the few
 * threads that files are read with, which slow names would hold.
 */
async function publicAddresses(host: string, servers: readonly string[], signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const stop = (): void => resolver.cancel()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
