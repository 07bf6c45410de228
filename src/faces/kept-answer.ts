import type { Answer } from '../query/envelope.ts'

/** An answer that was paid for, as text: the id of its request, then its body. The same in every face. */
export const packAnswer = ({ body }: Answer, requestId: string): string => `${requestId}\n${body}`

export function unpackAnswer(text: string): { readonly found: Answer; readonly requestId: string } {
  const end = text.indexOf('\n')
  return { found: { body: text.slice(end + 1), empty: false }, requestId: text.slice(0, end) }
}
