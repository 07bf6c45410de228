import { base64Decode } from '../base/base64.ts'
import { count } from '../base/counts.ts'
import type { Key } from '../base/ids.ts'
import { type Emitter, emits, programOf, ROLE, type Role, roleOfText } from '../model/programs.ts'
import type { RawInstruction } from '../model/raw.ts'
import { decodeBoop, decodeBoopCall, LOGGED_BOOP } from './boop.ts'
import { type Emission, skip, UNKNOWN_EVENT } from './emission.ts'
import { endsAtField, eventIn, hasInstruction, idlOf } from './idl.ts'
import { decodeLaunchLab, readLaunchLabCall } from './launchlab.ts'
import { decodeMeteoraDamm } from './meteora-damm.ts'
import { decodeMeteoraDbc, decodeMeteoraDbcCall } from './meteora-dbc.ts'
import { decodeMoonit, decodeMoonitCall, LOGGED_MOONIT } from './moonit.ts'
import { decodePump } from './pump.ts'
import { decodePumpFees } from './pump-fees.ts'
import { decodePumpSwap } from './pumpswap.ts'
import { tag, tagged } from './reader.ts'
import { roles } from './roles.ts'
import type { Why } from './unknown.ts'

/** Marks an instruction by which a program emits an event to itself. */
const SELF_CPI = tag('e445a52e51cb9a1d')
/** The runtime allows nine nested calls, so a deeper log is invalid. */
const STACK_MAX = 64
/** The runtime truncates a transaction's log at 10 kB. */
const PAYLOAD_TEXT_MAX = 16_384

/** Caches an instruction's accounts and data, which a source may extract on each access. */
class Call implements RawInstruction {
  private of: RawInstruction | null = null
  private cutAccounts: Uint8Array | null = null
  private cutData: Buffer | null = null

  /** `data`: the data if already extracted. */
  take(instruction: RawInstruction, data: Buffer | null): this {
    if (this.of === instruction) return this
    this.of = instruction
    this.cutAccounts = null
    this.cutData = data
    return this
  }
  get program(): number {
    return this.of!.program
  }
  get accounts(): Uint8Array {
    this.cutAccounts ??= this.of!.accounts
    return this.cutAccounts
  }
  get data(): Buffer {
    this.cutData ??= this.of!.data
    return this.cutData
  }
}

/** Scratch space for one transaction; the walk is synchronous. */
const calls: readonly Call[] = Array.from({ length: ROLE.mayhem }, () => new Call())
const stack = new Uint8Array(STACK_MAX)

const PROGRAMS: readonly (Key | undefined)[] = Object.values(ROLE).map(programOf)
const IDL_OF_ROLE = PROGRAMS.map((program) => (program === undefined ? undefined : idlOf(program)))

function dispatch(role: Emitter, payload: Buffer, o: number, at: Emission): void {
  at.refused = ''
  DECODERS[role].event(payload, o, at)
  // most payloads are read whole: of those only a tail may be news
  if (at.refused === '' && at.unknown === null) return
  const program = IDL_OF_ROLE[role]
  const event = program === undefined ? undefined : eventIn(program, payload, o)
  const isUnknown = at.refused !== '' && at.refused.startsWith(UNKNOWN_EVENT)
  if (isUnknown && event?.fields === null) return count(at.counts, `not_needed:${program!.label}.${event.name}`)
  if (isUnknown) count(at.counts, at.refused)
  if (at.unknown === null) return
  const why = whyUnknown(at.refused) ?? (event === undefined || endsAtField(event, payload, o) ? null : 'length')
  if (why !== null) note(at, role, 'event', why, event?.name ?? '', o === 0 ? payload : payload.subarray(o))
}

/** Null if the layout was as expected, whatever else was refused. */
function whyUnknown(refused: string): Why | null {
  if (refused === '') return null
  if (refused.startsWith(UNKNOWN_EVENT)) return 'unknown'
  return refused.startsWith('too_short:') ? 'too_short' : refused.startsWith('guard:') ? 'guard' : null
}

function note(at: Emission, role: Role, what: 'event' | 'instruction', why: Why, name: string, payload: Buffer): void {
  const program = PROGRAMS[role]
  if (program !== undefined) at.unknown?.note({ program, what, why, name, sig: at.sig, payload })
}

/** Records an instruction missing from all interface files. An event of it may be read only in part. */
function noteInstruction(at: Emission, role: Role, data: Buffer): void {
  const program = IDL_OF_ROLE[role]
  if (program === undefined || data.length === 0 || hasInstruction(program, data)) return
  note(at, role, 'instruction', 'unknown', '', data)
}

/** Which calls emit an event that needs what the call names, and which events these are: one of each, in the same order. */
interface Logged {
  readonly call: (call: RawInstruction) => boolean
  readonly event: (payload: Buffer) => boolean
}

interface Decoder {
  readonly event: (payload: Buffer, o: number, at: Emission) => void
  /** reads an instruction that says by itself what happened; true when it gave an event. Null: events say it all */
  readonly call: ((call: RawInstruction, at: Emission) => boolean) | null
  /** its events are in the log too, not only in instructions */
  readonly logs: boolean
  /** Pairs calls with their events, of programs whose events are only in the log; null for the others. */
  readonly logged: Logged | null
}

const DECODERS: Readonly<Record<Emitter, Decoder>> = {
  [ROLE.pump]: { event: decodePump, call: null, logs: true, logged: null },
  [ROLE.pumpswap]: { event: decodePumpSwap, call: null, logs: true, logged: null },
  [ROLE.launchlab]: { event: decodeLaunchLab, call: readLaunchLabCall, logs: true, logged: null },
  [ROLE.meteoraDbc]: { event: decodeMeteoraDbc, call: decodeMeteoraDbcCall, logs: false, logged: null },
  [ROLE.meteoraDamm]: { event: decodeMeteoraDamm, call: null, logs: false, logged: null },
  [ROLE.pumpFees]: { event: decodePumpFees, call: null, logs: true, logged: null },
  [ROLE.boop]: { event: decodeBoop, call: decodeBoopCall, logs: true, logged: LOGGED_BOOP },
  [ROLE.moonit]: { event: decodeMoonit, call: decodeMoonitCall, logs: true, logged: LOGGED_MOONIT },
}

/** 1 for roles of programs whose events are only in the log. */
const LOGGED = Uint8Array.from({ length: ROLE.mayhem }, (_, role) =>
  emits(role) && DECODERS[role].logged !== null ? 1 : 0,
)

/** Calls of programs whose events are only in the log, in the order of execution, which is that of their events. */
interface LoggedCall {
  readonly instruction: RawInstruction
  readonly outer: number
  readonly inner: number
}
const loggedCalls: LoggedCall[] = []
let nextLogged = 0
/** True if a program was called whose events are only in the log. */
let needsLog = false

/**
 * Reads a transaction: its inner instructions, and its log if these are absent or have none of our events, or for programs
 * whose events are only there. Returns false if the log was truncated; what stands before the cut is read.
 */
export function walk(at: Emission): boolean {
  const { tx } = at
  if (loggedCalls.length > 0) loggedCalls.length = 0
  nextLogged = 0
  needsLog = false
  const seen = tx.inner !== null && tx.keys.length > 0 && walkInner(at)
  if (tx.logs === null || (seen && !needsLog)) return true
  return walkLogs(tx.logs, at, seen)
}

/**
 * Reads the events of all inner instructions at any depth, by calling program, and the calls that replace missing
 * events. Returns true if there were any. Needs the roles of the keys.
 */
function walkInner(at: Emission): boolean {
  const { tx } = at
  let seen = false
  if (at.unknown !== null) {
    for (const instruction of tx.instructions) {
      const role = roles[instruction.program] ?? ROLE.none
      if (emits(role)) noteInstruction(at, role, calls[role]!.take(instruction, null).data)
    }
  }
  for (const group of tx.inner ?? []) {
    // one bit per role of the programs called so far
    let called = 0
    const outer = tx.instructions[group.outer]
    const outerRole = outer === undefined ? ROLE.none : (roles[outer.program] ?? ROLE.none)
    at.outer = group.outer
    at.inner = -1
    at.mayhem = outerRole === ROLE.mayhem
    if (outer !== undefined && emits(outerRole)) {
      called = 1 << outerRole
      if (LOGGED[outerRole] === 1) noteLogged(outer, outerRole, group.outer, -1)
      if (readCall(outerRole, calls[outerRole]!.take(outer, null), at)) seen = true
    }
    const { instructions } = group
    for (let i = 0; i < instructions.length; i++) {
      const instruction = instructions[i]!
      const role = roles[instruction.program] ?? ROLE.none
      if (!emits(role)) continue
      const { data } = instruction
      at.inner = i
      if (data.length < 8 || !tagged(data, 0, SELF_CPI)) {
        called |= 1 << role
        if (LOGGED[role] === 1) noteLogged(instruction, role, group.outer, i)
        if (readCall(role, calls[role]!.take(instruction, data), at)) seen = true
        if (at.unknown !== null) noteInstruction(at, role, data)
        continue
      }
      at.call = (called & (1 << role)) === 0 ? null : calls[role]!
      dispatch(role, data, 8, at)
      seen = true
    }
  }
  return seen
}

const readCall = (role: Emitter, call: RawInstruction, at: Emission): boolean =>
  DECODERS[role].call?.(call, at) ?? false

function noteLogged(instruction: RawInstruction, role: Emitter, outer: number, inner: number): void {
  needsLog = true
  if (DECODERS[role].logged!.call(calls[role]!.take(instruction, null))) loggedCalls.push({ instruction, outer, inner })
}

/**
 * Reads `Program data:` lines. The emitter is the top of the call stack built from the invoke lines. Returns false if
 * the log was truncated; the lines before the cut are read. `rest`: only events that are nowhere else are read.
 */
function walkLogs(logs: readonly string[], at: Emission, rest: boolean): boolean {
  let depth = 0
  let silent = false
  at.outer = -1
  at.inner = -1
  at.call = null
  for (let i = 0; i < logs.length; i++) {
    const line = logs[i]!
    if (!isOfProgram(line)) {
      if (line === 'Log truncated') return false
      continue
    }
    const first = line.charCodeAt(8)
    if (first === LETTER.l) continue
    if (first === LETTER.d && line.charCodeAt(12) === LETTER.colon) {
      const role = depth === 0 ? ROLE.none : stack[depth - 1]!
      if (emits(role) && !(rest && LOGGED[role] === 0)) emit(line, role, depth, at)
      continue
    }
    const space = line.indexOf(' ', 8)
    const verb = line.charCodeAt(space + 1)
    if (verb === LETTER.i && line.charCodeAt(space + 8) === LETTER.bracket) {
      // the printed depth repairs a stack after a lost line
      const level = levelAt(line, space + 9)
      if (!(level >= 1 && level <= STACK_MAX)) return false
      while (depth < level - 1) stack[depth++] = ROLE.none
      depth = level
      const role = roleOfText(line, 8, space)
      stack[depth - 1] = role
      if (emits(role) && !DECODERS[role].logs) silent = true
    } else if (
      (verb === LETTER.s && line.length === space + 8) ||
      (verb === LETTER.f && line.charCodeAt(space + 7) === LETTER.colon)
    ) {
      if (depth > 0) depth--
    }
  }
  // a source of logs cannot bring trades of programs that emit in instructions only
  if (silent && at.tx.inner === null) skip(at, 'needs_inner_instructions:meteora')
  return true
}

/**
 * The letters that tell the lines of the runtime apart: "Program log: …", "Program data: …", "Program ID invoke [2]",
 * "Program ID success" and "Program ID failed: …". An ID is base58, which has neither "l" nor ":".
 */
const LETTER = { P: 80, bracket: 91, colon: 58, d: 100, f: 102, i: 105, l: 108, m: 109, s: 115, space: 32 } as const

const isOfProgram = (line: string): boolean =>
  line.charCodeAt(0) === LETTER.P && line.charCodeAt(6) === LETTER.m && line.charCodeAt(7) === LETTER.space

/** The number before a closing bracket, usually one digit. */
function levelAt(line: string, start: number): number {
  const digit = line.charCodeAt(start) - 48
  if (digit >= 1 && digit <= 9 && line[start + 1] === ']') return digit
  return Number.parseInt(line.slice(start, start + 4), 10)
}

function emit(line: string, role: Emitter, depth: number, at: Emission): void {
  at.inner++
  if (line.length > PAYLOAD_TEXT_MAX) return skip(at, 'payload_too_long')
  const space = line.indexOf(' ', 14)
  const payload = base64Decode(space < 0 ? line.slice(14) : line.slice(14, space))
  if (payload === null) return skip(at, 'payload_not_base64')
  if (LOGGED[role] === 1 && loggedCalls.length > 0 && DECODERS[role].logged!.event(payload)) takeLogged(role, at)
  at.mayhem = false
  for (let i = 0; i < depth - 1; i++) if (stack[i] === ROLE.mayhem) at.mayhem = true
  dispatch(role, payload, 0, at)
}

/** Goes to the place of the call whose event is next in the log. */
function takeLogged(role: Emitter, at: Emission): void {
  const logged = loggedCalls[nextLogged++]
  at.call = logged === undefined ? null : calls[role]!.take(logged.instruction, null)
  if (logged === undefined) return
  at.outer = logged.outer
  at.inner = logged.inner
}
