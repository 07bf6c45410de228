import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { featuresOf, type Signed, solanaAccount } from './features.ts'
import { declined, WalletProblem } from './problems.ts'

/** What `POST /account/challenge` answers. */
export interface Challenge {
  readonly nonce: string
  /** the text to sign */
  readonly message: string
  /** the same in parts, for wallets that make the text themselves */
  readonly fields: Readonly<Record<string, string>>
  readonly expires_at: string
}

/** milliseconds that a wallet's window may stay unanswered: as long as the challenge lives */
const PATIENCE_MS = 300_000

/** Asks the wallet for its account; it may show a window. */
export async function connect(wallet: Wallet): Promise<WalletAccount> {
  const feature = featuresOf(wallet)['standard:connect']
  if (feature === undefined) throw new WalletProblem('unfit')
  const { accounts } = await inTime(feature.connect())
  const account = solanaAccount(accounts)
  if (account === null) throw new WalletProblem('no account')
  return account
}

/**
 * The wallet's signature over the challenge's message, in base64. A wallet that signs people in is asked for that, as it
 * shows who asks; but it makes the text itself, so what it signed counts only if it is the server's message to the byte.
 * Otherwise, and where it cannot, it is asked to sign the message as it is.
 */
export async function prove(wallet: Wallet, account: WalletAccount, challenge: Challenge): Promise<string> {
  const features = featuresOf(wallet)
  const message = new TextEncoder().encode(challenge.message)
  const signIn = features['solana:signIn']
  const signMessage = features['solana:signMessage']

  if (signIn !== undefined) {
    try {
      const [signed] = await inTime(signIn.signIn(challenge.fields))
      if (signed !== undefined && signed.account.address !== account.address) throw new WalletProblem('other account')
      if (signed !== undefined && sameBytes(signed.signedMessage, message)) return signatureOf(signed)
    } catch (error) {
      // a user who declined is not asked again in another way
      if (signMessage === undefined || error instanceof WalletProblem || declined(error)) throw error
    }
  }
  if (signMessage === undefined) throw new WalletProblem('other message')
  const [signed] = await inTime(signMessage.signMessage({ account, message }))
  if (signed === undefined) throw new WalletProblem('no signature')
  if (!sameBytes(signed.signedMessage, message)) throw new WalletProblem('other message')
  return signatureOf(signed)
}

function signatureOf({ signature }: Signed): string {
  if (signature.length !== 64) throw new WalletProblem('no signature')
  return btoa(String.fromCharCode(...Array.from(signature)))
}

function sameBytes(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** A wallet whose window was closed may never answer. */
function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new WalletProblem('silent')), PATIENCE_MS)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
