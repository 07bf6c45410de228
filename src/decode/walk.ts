import { type Key, ZERO_KEY } from '../base/ids.ts'
import type { RawInstruction, RawTransaction } from '../source/types.ts'
import { type Emission, skip } from './emission.ts'
import { decodeLaunchLab } from './launchlab.ts'
import { ROLE, type Role, roleOf, roleOfText } from './programs.ts'
import { decodePump } from './pump.ts'
import { decodePumpSwap } from './pumpswap.ts'
import { tag, tagged } from './reader.ts'

/** Marks an instruction by which a program emits an event to itself. */
const SELF_CPI = tag('e445a52e51cb9a1d')
/** A transaction addresses keys with one byte. */
const KEYS_MAX = 256
/** The runtime allows nine nested calls; a deeper log is not one. */
const STACK_MAX = 64
/** The runtime cuts a transaction's log at 10 kB. */
const PAYLOAD_TEXT_MAX = 16_384

/** Scratch for one transaction at a time; the walk is synchronous. */
const roles = new Uint8Array(KEYS_MAX)
const calls: (RawInstruction | null)[] = [null, null, null, null, null]
const stack = new Uint8Array(STACK_MAX)

/** Notes the role of every key; false when none of our programs is among them. */
export function findPrograms(at: Emission): boolean {
  const { keys } = at.tx
  const length = Math.min(keys.length, KEYS_MAX)
  let found = false
  let tip = -1
  for (let i = 0; i < length; i++) {
    const role = roleOf(keys[i]!)
    roles[i] = role
    if (role === ROLE.tip) tip = i
    else if (role !== ROLE.none) found = true
  }
  roles.fill(ROLE.none, length)
  if (found && tip >= 0) at.tipper = tipperOf(at.tx)
  return found
}

/** System program: transfer, 4 bytes of tag and 8 of lamports. */
const TRANSFER_BYTES = 12
const TRANSFER_TAG = 2

/** Who sent lamports to a tip account, by the first such transfer. */
function tipperOf(tx: RawTransaction): Key | null {
  for (const instruction of tx.instructions)
    if (isTip(tx, instruction)) return tx.keys[instruction.accounts[0]!] ?? null
  for (const { instructions } of tx.inner ?? []) {
    for (const instruction of instructions) if (isTip(tx, instruction)) return tx.keys[instruction.accounts[0]!] ?? null
  }
  return null
}

const isTip = (tx: RawTransaction, { program, accounts, data }: RawInstruction): boolean =>
  accounts.length >= 2 &&
  roles[accounts[1]!] === ROLE.tip &&
  data.length === TRANSFER_BYTES &&
  data[0] === TRANSFER_TAG &&
  tx.keys[program] === ZERO_KEY

function dispatch(role: Role, payload: Buffer, o: number, at: Emission): void {
  if (role === ROLE.pump) decodePump(payload, o, at)
  else if (role === ROLE.pumpswap) decodePumpSwap(payload, o, at)
  else decodeLaunchLab(payload, o, at)
}

const emits = (role: number): boolean => role !== ROLE.none && role < ROLE.mayhem

/**
 * Reads the events of all inner instructions, at any depth, by the program that ran them; true when there was one.
 * `findPrograms` must have run.
 */
export function walkInner(at: Emission): boolean {
  const { tx } = at
  let seen = false
  for (const group of tx.inner ?? []) {
    calls.fill(null)
    const outer = tx.instructions[group.outer]
    const outerRole = outer === undefined ? ROLE.none : (roles[outer.program] ?? ROLE.none)
    if (outer !== undefined) calls[outerRole] = outer
    at.outer = group.outer
    at.mayhem = outerRole === ROLE.mayhem
    const { instructions } = group
    for (let i = 0; i < instructions.length; i++) {
      const instruction = instructions[i]!
      const role = roles[instruction.program] ?? ROLE.none
      if (!emits(role)) continue
      const { data } = instruction
      if (data.length < 8 || !tagged(data, 0, SELF_CPI)) {
        calls[role] = instruction
        continue
      }
      at.inner = i
      at.call = calls[role]!
      dispatch(role as Role, data, 8, at)
      seen = true
    }
  }
  return seen
}

/**
 * Reads `Program data:` lines; the emitter is the top of the call stack that the invoke lines build. False when the log
 * was cut: the caller takes back what came before the cut.
 */
export function walkLogs(logs: readonly string[], at: Emission): boolean {
  let depth = 0
  at.outer = -1
  at.inner = -1
  at.call = null
  for (const line of logs) {
    if (!line.startsWith('Program ')) {
      if (line === 'Log truncated') return false
      continue
    }
    if (line.startsWith('log: ', 8)) continue
    if (line.startsWith('data: ', 8)) {
      const role = depth === 0 ? ROLE.none : stack[depth - 1]!
      if (emits(role)) emit(line, role as Role, depth, at)
      continue
    }
    const space = line.indexOf(' ', 8)
    if (line.startsWith('invoke [', space + 1)) {
      // the printed depth heals a stack that a lost line would have shifted
      const level = Number.parseInt(line.slice(space + 9, space + 13), 10)
      if (!(level >= 1 && level <= STACK_MAX)) return false
      while (depth < level - 1) stack[depth++] = ROLE.none
      depth = level
      stack[depth - 1] = roleOfText(line, 8, space)
    } else if (line.startsWith('success', space + 1) || line.startsWith('failed', space + 1)) {
      if (depth > 0) depth--
    }
  }
  return true
}

function emit(line: string, role: Role, depth: number, at: Emission): void {
  at.inner++
  if (line.length > PAYLOAD_TEXT_MAX) return skip(at, 'payload_too_long')
  const space = line.indexOf(' ', 14)
  at.mayhem = false
  for (let i = 0; i < depth - 1; i++) if (stack[i] === ROLE.mayhem) at.mayhem = true
  dispatch(role, Buffer.from(space < 0 ? line.slice(14) : line.slice(14, space), 'base64'), 0, at)
}
