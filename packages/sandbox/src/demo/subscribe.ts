import type { Address } from '@solana/kit'
import { openWallet } from '../addresses.ts'
import { signedTransfer } from '../transfer.ts'
import { findSandbox } from './sandbox.ts'

interface SubscribeDemo {
  /** URL of the service, without a trailing slash. */
  readonly url: string
  /** The account's reference as shown on its page, base58. */
  readonly reference: string
  readonly lamports: bigint
  print(line: string): void
}

/** more than the network fee of one signature */
const FOR_FEES = 1_000_000n
const LAMPORTS_PER_SOL = 1_000_000_000n

/** Pays for an account with play money, by a transfer that names the account's reference, like a wallet's. */
export async function subscribeInSandbox({ url, reference, lamports, print }: SubscribeDemo): Promise<void> {
  const { rpc, payTo } = await findSandbox(url)
  const payer = openWallet()
  await rpc('sandbox_faucet', [payer.address, { lamports: (lamports + FOR_FEES).toString() }])
  print('This is a sandbox: a chain inside the service. No real money moves.\n')
  print(`payer      ${payer.address}  a new wallet, with play money from the faucet`)
  print(`pays       ${solText(lamports)} SOL to ${payTo}`)
  print(`reference  ${reference}`)

  const { value } = (await rpc('getLatestBlockhash', [])) as { value: { blockhash: string } }
  const signed = signedTransfer(payer, payTo as Address, lamports, value.blockhash, reference as Address)
  await rpc('sendTransaction', [Buffer.from(signed.wire).toString('base64'), { encoding: 'base64' }])
  print(`sent       ${signed.signature}\n`)
  print(`It counts once its block is final, within half a minute: ${url}/account shows it.`)
}

/** Lamports of an amount like `0.25`; null if the text is not a positive amount that the faucet can give. */
export function lamportsOf(text: string, most: bigint): bigint | null {
  const [, whole, rest = ''] = /^(\d{1,6})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  if (whole === undefined) return null
  const lamports = BigInt(whole) * LAMPORTS_PER_SOL + BigInt(rest.padEnd(9, '0'))
  return lamports > 0n && lamports <= most - FOR_FEES ? lamports : null
}

function solText(lamports: bigint): string {
  const rest = (lamports % LAMPORTS_PER_SOL).toString().padStart(9, '0').replace(/0+$/, '')
  return `${lamports / LAMPORTS_PER_SOL}${rest === '' ? '' : `.${rest}`}`
}
