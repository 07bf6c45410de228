// Made by `npm run model` of the tables in packages/core/src/model: change those.
import type { Actor, ActorEdge, ActorEdges, ActorToken } from '../actors.ts'
import { type Reader, readList, readNumbers, recordReader, recordWriter, type Writer, writeNumbers } from '../bytes.ts'

const w = recordWriter
const r = recordReader

function writeActorToken(w: Writer, v: ActorToken): void {
  w.u8(v.grouped ? 1 : 0)
  w.num(v.token)
  w.num(v.deployer)
  w.num(v.firstBuySlot)
  w.num(v.exitSlot)
  w.num(v.bought)
  w.num(v.sold)
  w.num(v.paid)
  w.num(v.got)
}

function readActorToken(r: Reader): ActorToken {
  return {
    grouped: r.bool(),
    token: r.num(),
    deployer: r.num(),
    firstBuySlot: r.num(),
    exitSlot: r.num(),
    bought: r.num(),
    sold: r.num(),
    paid: r.num(),
    got: r.num(),
  }
}

function writeActor(w: Writer, v: Actor): void {
  w.num(v.mergedInto)
  w.num(v.firstSlot)
  w.num(v.firstToken)
  w.num(v.founder)
  w.num(v.lastSlot)
  writeNumbers(w, v.wallets)
  w.num(v.tokens.length)
  for (const item of v.tokens) writeActorToken(w, item)
  w.num(v.pastTokens)
  w.num(v.pastLaunched)
  w.num(v.pastDrained)
  w.num(v.pastRugged)
  w.num(v.pastTaken)
}

function readActor(r: Reader, id: number): Actor {
  return {
    id,
    mergedInto: r.num(),
    firstSlot: r.num(),
    firstToken: r.num(),
    founder: r.num(),
    lastSlot: r.num(),
    wallets: readNumbers(r),
    tokens: readList(r, readActorToken),
    pastTokens: r.num(),
    pastLaunched: r.num(),
    pastDrained: r.num(),
    pastRugged: r.num(),
    pastTaken: r.num(),
  }
}

export function encodeActor(v: Actor): Buffer {
  w.take()
  writeActor(w, v)
  return w.take()
}

export function decodeActor(id: number, bytes: Buffer): Actor {
  r.open(bytes, 0, bytes.length)
  const v = readActor(r, id)
  r.done()
  return v
}

function writeActorEdge(w: Writer, v: ActorEdge): void {
  w.num(v.a)
  w.num(v.b)
  w.num(v.families)
  w.num(v.slot)
  writeNumbers(w, v.mints)
}

function readActorEdge(r: Reader): ActorEdge {
  return {
    a: r.num(),
    b: r.num(),
    families: r.num(),
    slot: r.num(),
    mints: readNumbers(r),
  }
}

function writeActorEdges(w: Writer, v: ActorEdges): void {
  w.num(v.edges.length)
  for (const item of v.edges) writeActorEdge(w, item)
}

function readActorEdges(r: Reader, id: number): ActorEdges {
  return {
    id,
    edges: readList(r, readActorEdge),
  }
}

export function encodeActorEdges(v: ActorEdges): Buffer {
  w.take()
  writeActorEdges(w, v)
  return w.take()
}

export function decodeActorEdges(id: number, bytes: Buffer): ActorEdges {
  r.open(bytes, 0, bytes.length)
  const v = readActorEdges(r, id)
  r.done()
  return v
}
