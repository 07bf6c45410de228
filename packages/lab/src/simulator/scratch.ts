import type { Key } from '@ti/core/base/ids.ts'

const SELF_CPI = Buffer.from('e445a52e51cb9a1d', 'hex')
/** The longest payload: a creation with its three texts. */
const SCRATCH_BYTES = 2_048

const scratch = Buffer.alloc(SCRATCH_BYTES)
let at = 0

/** Little-endian, exact below 2^53. */
export function putU64(data: Buffer, value: number, at: number): void {
  let half = (value % 4_294_967_296) >>> 0
  for (let i = 0; i < 4; i++) {
    data[at + i] = half & 255
    half >>>= 8
  }
  half = Math.floor(value / 4_294_967_296)
  for (let i = 4; i < 8; i++) {
    data[at + i] = half & 255
    half >>>= 8
  }
}

/** Begins a self-CPI. */
export const begin = (discriminator: Buffer) => {
  SELF_CPI.copy(scratch, 0)
  discriminator.copy(scratch, 8)
  at = 16
}
/** The data written since the beginning: instruction data, or for a self-CPI its tag and the payload. */
export const end = (): Buffer => {
  const data = Buffer.allocUnsafe(at)
  scratch.copy(data, 0, 0, at)
  return data
}
export const u8 = (value: number | boolean) => {
  scratch[at++] = Number(value)
}
export const u64 = (value: number) => {
  putU64(scratch, value, at)
  at += 8
}
export const zeros = (bytes: number) => {
  scratch.fill(0, at, at + bytes)
  at += bytes
}
export const account = (key: Key) => {
  for (let i = 0; i < 32; i++) scratch[at + i] = key.charCodeAt(i)
  at += 32
}
export const text = (value: string) => {
  const bytes = scratch.write(value, at + 4, 'utf8')
  scratch.writeUInt32LE(bytes, at)
  at += 4 + bytes
}
/** Begins an instruction. */
export const beginCall = (discriminator: Buffer) => {
  discriminator.copy(scratch, 0)
  at = 8
}
export const u16 = (value: number) => {
  scratch.writeUInt16LE(value, at)
  at += 2
}
export const u32 = (value: number) => {
  scratch.writeUInt32LE(value, at)
  at += 4
}
