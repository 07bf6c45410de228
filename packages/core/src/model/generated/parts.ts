// Made by `npm run model` of the tables in packages/core/src/model: change those.
import type { Membership, NamedActor } from '../actors.ts'
import { type Reader, readNumbers, type Writer, writeNumbers } from '../bytes.ts'
import type { Population } from '../population.ts'

export function writeMembership(w: Writer, v: Membership): void {
  w.u8(v.shared ? 1 : 0)
  w.num(v.token)
  w.num(v.group)
  w.num(v.firstBuySlot)
  w.num(v.lastSellSlot)
  w.num(v.bought)
  w.num(v.sold)
  w.num(v.paid)
  w.num(v.got)
}

export function readMembership(r: Reader): Membership {
  return {
    shared: r.bool(),
    token: r.num(),
    group: r.num(),
    firstBuySlot: r.num(),
    lastSellSlot: r.num(),
    bought: r.num(),
    sold: r.num(),
    paid: r.num(),
    got: r.num(),
  }
}

export function writeNamedActor(w: Writer, v: NamedActor): void {
  w.num(v.actor)
  w.num(v.slot)
  w.num(v.by)
}

export function readNamedActor(r: Reader): NamedActor {
  return {
    actor: r.num(),
    slot: r.num(),
    by: r.num(),
  }
}

export function writePopulation(w: Writer, v: Population): void {
  w.num(v.picks)
  w.num(v.healthyPicks)
  writeNumbers(w, v.holds)
  w.num(v.veterans)
  writeNumbers(w, v.veteranPnl)
  writeNumbers(w, v.veteranRoi)
  writeNumbers(w, v.veteranWin)
  writeNumbers(w, v.budgetBins)
  w.num(v.budgets)
  w.num(v.places)
  w.num(v.placesTraded)
}

export function readPopulation(r: Reader): Population {
  return {
    picks: r.num(),
    healthyPicks: r.num(),
    holds: readNumbers(r),
    veterans: r.num(),
    veteranPnl: readNumbers(r),
    veteranRoi: readNumbers(r),
    veteranWin: readNumbers(r),
    budgetBins: readNumbers(r),
    budgets: r.num(),
    places: r.num(),
    placesTraded: r.num(),
  }
}
