/** Codes of JSON-RPC errors as used by Solana nodes. */
export const RPC_CODE = {
  parse: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  badParams: -32_602,
  internal: -32_603,
  preflight: -32_002,
  signature: -32_003,
  transactionVersion: -32_015,
} as const

/** The error answer of one JSON-RPC call. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const badParams = (why: string): RpcError => new RpcError(RPC_CODE.badParams, `Invalid params: ${why}`)
