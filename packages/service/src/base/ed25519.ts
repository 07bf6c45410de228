import { createPublicKey, verify } from 'node:crypto'

/** Verifies a signature of a message against a 32-byte public key. */
export function isSignatureOf(publicKey: Buffer, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    // OpenSSL takes eight times as long to read a key in DER
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') }
    return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature)
  } catch {
    // the 32 bytes are not a point of the curve, so no signature can exist
    return false
  }
}
