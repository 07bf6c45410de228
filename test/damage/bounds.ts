import { LIMITS } from '@ti/service/config/limits.ts'
import { SEGMENTS } from '@ti/service/log/segments/segment-file.ts'

/**
 * Bounds of a small data directory: several segments, and several checkpoints of the write-ahead log, within some hundred
 * entries. Every process that opens it calls this first.
 */
export function useSmallBounds(): void {
  Object.assign(SEGMENTS, { logSegmentBytes: 96 << 10 })
  Object.assign(LIMITS, {
    stateCheckpointBytes: 192 << 10,
    stateCheckpointBytesMax: 768 << 10,
  })
}
