import type { Agent, AgentBook, AgentBuy, AgentPeriod, PaperOrder, PaperPosition } from '../engine/agents/state.ts'
import type { Reader, Writer } from '../log/bytes.ts'
import { decodeWith, encodeWith, readList, readNumbers, writeNumbers } from './records.ts'

/** The agents' record as bytes; the rules of records.ts hold. */
export const encodeAgents = (book: AgentBook): Buffer => encodeWith(writeAgents, book)
export const decodeAgents = (bytes: Buffer): AgentBook => decodeWith(bytes, readAgents)

function writeAgents(w: Writer, book: AgentBook): void {
  w.num(book.rankedPeriod)
  writeNumbers(w, book.top)
  writeList(w, book.agents, writeAgent)
}

const readAgents = (r: Reader): AgentBook => ({
  rankedPeriod: r.num(),
  top: readNumbers(r),
  agents: readList(r, readAgent),
})

function writeList<T>(w: Writer, list: readonly T[], write: (w: Writer, item: T) => void): void {
  w.num(list.length)
  for (const item of list) write(w, item)
}

function writeAgent(w: Writer, a: Agent): void {
  w.text(a.name)
  w.num(a.wallet)
  w.u8(a.active ? 1 : 0)
  w.num(a.realisedSeen)
  w.num(a.closedSeen)
  writeList(w, a.open, (w, p: PaperPosition) => {
    w.num(p.token)
    w.num(p.tokens)
    w.num(p.cost)
    w.num(p.openedSlot)
  })
  writeList(w, a.orders, (w, o: PaperOrder) => {
    w.num(o.token)
    w.u8(o.isBuy ? 1 : 0)
    w.num(o.slot)
  })
  writeList(w, a.buys, (w, b: AgentBuy) => {
    w.num(b.token)
    w.num(b.slot)
    w.num(b.time)
  })
  writeList(w, a.periods, (w, p: AgentPeriod) => {
    w.num(p.index)
    w.num(p.profit)
    w.num(p.closed)
  })
}

const readAgent = (r: Reader): Agent => ({
  name: r.text(),
  wallet: r.num(),
  active: r.bool(),
  realisedSeen: r.num(),
  closedSeen: r.num(),
  open: readList(r, (r) => ({ token: r.num(), tokens: r.num(), cost: r.num(), openedSlot: r.num() })),
  orders: readList(r, (r) => ({ token: r.num(), isBuy: r.bool(), slot: r.num() })),
  buys: readList(r, (r) => ({ token: r.num(), slot: r.num(), time: r.num() })),
  periods: readList(r, (r) => ({ index: r.num(), profit: r.num(), closed: r.num() })),
})
