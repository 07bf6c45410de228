/**
 * Nominal ids. A public key or signature is checked once at the edge and trusted inside.
 *
 * Inside the service a key is its 32 raw bytes kept as a latin-1 string: it hashes as a Map key, compares with `===`
 * and costs one native call to make. Base58 exists only at the edges (it was over 80% of decoding cost).
 */
declare const brand: unique symbol
type Branded<T, Name> = T & { readonly [brand]: Name }

/** 32 raw bytes of a public key (mint, wallet, pool, program) as a latin-1 string. */
export type Key = Branded<string, 'Key'>
/** 64 raw bytes of a transaction signature as a latin-1 string; empty if the source has none. */
export type Sig = Branded<string, 'Sig'>

/** What toString('latin1') comes to once it has chosen the encoding, which costs as much as half a key. */
interface Latin1Bytes {
  latin1Slice(start: number, end: number): string
}

/** Reads the key at `offset`; the caller has checked that 32 bytes are there. */
export const keyAt = (bytes: Buffer, offset: number): Key =>
  (bytes as Buffer & Latin1Bytes).latin1Slice(offset, offset + 32) as Key

/** Reads the signature at `offset`; the caller has checked that 64 bytes are there. */
export const sigAt = (bytes: Buffer, offset: number): Sig => bytes.toString('latin1', offset, offset + 64) as Sig

export const NO_SIG = '' as Sig
/** 32 zero bytes: the system program, and pump's way of saying "quoted in SOL". */
export const ZERO_KEY = '\0'.repeat(32) as Key
