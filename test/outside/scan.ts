import { keyFromBase58 } from '@ti/core/base/base58.ts'

/** A constant that a source file takes from the outside world. */
export interface Constant {
  /** file, the top-level declaration it stands in, and the property on its line where there is one */
  readonly at: string
  readonly kind: 'address' | 'discriminator' | 'rpc code'
  readonly value: string
}

const BASE58 = /(?<!\w)[1-9A-HJ-NP-Za-km-z]{32,44}(?!\w)/g
const DISCRIMINATOR = /(?<=['"`])[0-9a-f]{16}(?=['"`])/g
/** server errors of JSON-RPC 2.0 and of Solana nodes */
const RPC_CODE = /(?<!\w)-32\d{3}(?!\d)/g

/** Every constant of the outside world in a source file, remarks included. */
export function constantsIn(path: string, source: string): Constant[] {
  const found: Constant[] = []
  let declared = ''
  for (const line of source.split('\n')) {
    declared =
      /^(?:export )?(?:default )?(?:async )?(?:const|let|function\*?|class|enum) (\w+)/.exec(line)?.[1] ?? declared
    const property = /^\s+(?:readonly )?(\w+): /.exec(line)?.[1]
    const at = `${path}#${declared}${property === undefined ? '' : `.${property}`}`
    for (const [value] of line.matchAll(BASE58))
      if (keyFromBase58(value) !== null) found.push({ at, kind: 'address', value })
    for (const [value] of line.matchAll(DISCRIMINATOR)) found.push({ at, kind: 'discriminator', value })
    for (const [value] of line.matchAll(RPC_CODE)) found.push({ at, kind: 'rpc code', value })
  }
  return found
}
