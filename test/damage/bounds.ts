import { SEGMENTS } from '@ti/service/log/segments/segment-file.ts'
import { STATE_CHECKPOINT } from '@ti/service/store/commits.ts'

/**
 * Bounds of a small data directory: several segments, and several checkpoints of the write-ahead log, within some hundred
 * entries. Every process that opens it calls this first.
 */
export function useSmallBounds(): void {
  Object.assign(SEGMENTS, { bytes: 96 << 10 })
  Object.assign(STATE_CHECKPOINT, { bytes: 192 << 10, bytesMax: 768 << 10 })
}
