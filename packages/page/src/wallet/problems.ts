type Problem = 'unfit' | 'no account' | 'other account' | 'other message' | 'no signature' | 'silent'

/** Failures between page and wallet, apart from the wallet's own errors. */
export class WalletProblem extends Error {
  override readonly name = 'WalletProblem'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem)
    this.problem = problem
  }
}

/** Advice for each failure, after the wallet's name. */
const WHAT_TO_DO: Record<Problem, string> = {
  unfit: 'cannot sign in here: it does not sign messages with a Solana account. Use another wallet.',
  'no account': 'has shared no Solana account. Unlock it, choose a Solana account and allow this page to see it.',
  'other account':
    'signed with a different account from the one it shares with this page. Select one account in it and try again.',
  'other message': 'signed a different text, so the signature is not valid. Try again, or use another wallet.',
  'no signature': 'answered without a signature. A hardware wallet may not sign messages: use another account.',
  silent: 'did not answer within five minutes. Open it, close the pending request, and try again.',
}

/** error codes of EIP-1193, which wallets share */
const DECLINED = 4001
const ALREADY_ASKED = -32002
const TEXT_MAX = 160

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null | undefined)?.code

const textOf = (error: unknown): string => {
  const message = (error as { message?: unknown } | null | undefined)?.message
  const text = typeof message === 'string' ? message : typeof error === 'string' ? error : ''
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return line.length > TEXT_MAX ? `${line.slice(0, TEXT_MAX)}…` : line
}

/** The user declined in the wallet. */
export const declined = (error: unknown): boolean =>
  codeOf(error) === DECLINED || /reject|declin|denied|cancell?ed|user closed/i.test(textOf(error))

/** Turns a wallet's error into advice. */
export function inWords(name: string, error: unknown): string {
  if (error instanceof WalletProblem) return `${name} ${WHAT_TO_DO[error.problem]}`
  if (declined(error)) return `You declined in ${name}. Nothing was signed; select it again when you are ready.`
  if (codeOf(error) === ALREADY_ASKED)
    return `${name} already shows a request. Open it and answer or close that request.`
  const said = textOf(error)
  if (/locked/i.test(said)) return `${name} is locked. Unlock it and try again.`
  return `${name} failed${said === '' ? '' : ` (it says: “${said}”)`}. Unlock it and try again.`
}
