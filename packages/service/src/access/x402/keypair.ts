import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit'
import { z } from 'zod'
import { OperatorError } from '../../base/errors.ts'
import { readPrivateText } from '../../base/private-files.ts'

/** bytes of a file with a keypair */
const KEYPAIR_FILE_BYTES = 4_096

const Bytes = z.array(z.number().int().min(0).max(255)).length(64)

const WHAT = 'FEE_PAYER_KEYPAIR has to be a keypair file, or its JSON array of 64 bytes'

/**
 * Reads 64 bytes from a JSON array or a file with one. Refuses a file that others can read, because the money may already be
 * gone. Messages never contain the key.
 */
export function readKeypair(text: string): Uint8Array {
  const json = text.trimStart().startsWith('[')
    ? text
    : readPrivateText(text, { name: 'FEE_PAYER_KEYPAIR', what: WHAT, bytesMax: KEYPAIR_FILE_BYTES })
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new OperatorError(`${WHAT}: it is not JSON`)
  }
  const bytes = Bytes.safeParse(value)
  if (!bytes.success) throw new OperatorError(`${WHAT}: it is not a list of 64 bytes`)
  return Uint8Array.from(bytes.data)
}

/** Throws OperatorError if the public half does not match the private one. */
export async function signerOf(secret: Uint8Array): Promise<KeyPairSigner> {
  try {
    return await createKeyPairSignerFromBytes(secret)
  } catch {
    throw new OperatorError(`${WHAT}: its public key does not belong to its private key`)
  }
}
