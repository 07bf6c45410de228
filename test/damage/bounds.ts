import { LIMITS } from '@ti/service/config/limits.ts'

/**
 * Bounds of a small data directory: several segments, and several checkpoints of the write-ahead log, within some hundred
 * entries. Every process that opens it calls this first.
 */
export function useSmallBounds(): void {
  Object.assign(LIMITS, {
    logSegmentBytes: 96 << 10,
    stateCheckpointBytes: 192 << 10,
    stateCheckpointBytesMax: 768 << 10,
  })
}
