import type { RequestListener } from 'node:http'
import { type AtDoor, type Door, standAt } from './door.ts'

/** A face of a few small answers, for a node that answers no readers, or none yet. */
export const createPlainFace = (answer: RequestListener, newRequestId: () => string, door: Door | null): AtDoor =>
  standAt(door, { listener: answer, upgrades: {}, newRequestId, count: () => {} })
