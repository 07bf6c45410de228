import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { featuresOf, type Signed, solanaAccount } from './features.ts'
import { declined, WalletProblem } from './problems.ts'

/** Answer of `POST /account/challenge`. */
export interface Challenge {
  readonly nonce: string
  /** text to sign */
  readonly message: string
  /** the same as fields, for `solana:signIn` */
  readonly fields: Readonly<Record<string, string>>
  readonly expires_at: string
}

/** milliseconds until a wallet's window times out, equal to the life of a challenge */
const PATIENCE_MS = 300_000

/** Requests the wallet's account; the wallet may open a window. */
export async function connect(wallet: Wallet): Promise<WalletAccount> {
  const feature = featuresOf(wallet)['standard:connect']
  if (feature === undefined) throw new WalletProblem('unfit')
  const { accounts } = await inTime(feature.connect())
  const account = solanaAccount(accounts)
  if (account === null) throw new WalletProblem('no account')
  return account
}

/**
 * Signs the challenge; returns the signature in base64. Prefers `solana:signIn`, where the wallet shows the requesting site.
 * There the wallet composes the text, so the signature counts only if the text equals the server's message. Otherwise the
 * wallet signs the message itself.
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
