/** Fields of Sign In With Solana, version 1. */
export interface SignInFields {
  /** host (and port) of the requesting site; wallets compare it with the page's */
  readonly domain: string
  /** base58 */
  readonly address: string
  readonly statement: string
  readonly uri: string
  readonly version: '1'
  readonly chainId: 'mainnet'
  /** letters and digits */
  readonly nonce: string
  /** RFC 3339 */
  readonly issuedAt: string
  readonly expirationTime: string
}

/**
 * Composes the text to sign. Wallets that receive fields (`solana:signIn`) compose the same bytes, so line ends and order are
 * part of the protocol.
 */
export function signInText(fields: SignInFields): string {
  const { domain, address, statement, uri, version, chainId, nonce, issuedAt, expirationTime } = fields
  return `${domain} wants you to sign in with your Solana account:
${address}

${statement}

URI: ${uri}
Version: ${version}
Chain ID: ${chainId}
Nonce: ${nonce}
Issued At: ${issuedAt}
Expiration Time: ${expirationTime}`
}
