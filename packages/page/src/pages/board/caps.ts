import type { Frame } from '@ti/core/contract/streams.ts'
import { type RefObject, useLayoutEffect } from 'react'
import { usd } from '../../ui/format.ts'

/** Market caps from the stream between two answers of the board, written without React, because a hundred cards may change each second. */
export interface Caps {
  frame(frame: Frame): void
  /** calls the cell with the newest market cap, if there is one, and with each change; returns the function that stops it */
  watch(mint: string, cell: Cell): () => void
}

/** `at`: its arrival, in milliseconds of a steady clock */
type Cell = (cap: { readonly usd: number; readonly at: number }) => void

/** shortest time between two writes */
const FLUSH_MS = 400
/** tokens written before one paint, so that no paint takes long */
const MINTS_AT_ONCE = 24
/** tokens remembered, some 100 bytes each */
const MINTS_MAX = 2_000

interface Surroundings {
  now(): number
  /** calls once before a paint, after at least this many milliseconds */
  later(ms: number, call: () => void): void
}

const inBrowser: Surroundings = {
  now: () => performance.now(),
  later: (ms, call) => void setTimeout(() => requestAnimationFrame(call), ms),
}

export function createCaps({ now, later }: Surroundings = inBrowser): Caps {
  const known = new Map<string, { readonly usd: number; readonly at: number }>()
  const cells = new Map<string, Set<Cell>>()
  const changed = new Set<string>()
  let planned = false

  const flush = (): void => {
    planned = false
    for (const mint of [...changed].slice(0, MINTS_AT_ONCE)) {
      changed.delete(mint)
      for (const cell of cells.get(mint) ?? []) cell(known.get(mint)!)
    }
    if (changed.size > 0) plan(0)
  }

  const plan = (ms: number): void => {
    if (!planned) later(ms, flush)
    planned = true
  }

  return {
    frame({ data: { mint, trades } }) {
      const last = trades.at(-1)
      if (last === undefined) return
      known.delete(mint)
      known.set(mint, { usd: last.mcap, at: now() })
      if (known.size > MINTS_MAX) known.delete(known.keys().next().value!)
      if (!cells.has(mint)) return
      changed.add(mint)
      plan(FLUSH_MS)
    },
    watch(mint, cell) {
      const watching = cells.get(mint) ?? new Set()
      cells.set(mint, watching.add(cell))
      const cap = known.get(mint)
      if (cap !== undefined) cell(cap)
      return () => {
        watching.delete(cell)
        if (watching.size === 0 && cells.get(mint) === watching) cells.delete(mint)
        if (!cells.has(mint)) changed.delete(mint)
      }
    },
  }
}

/** milliseconds by which the market cap in an answer is old on arrival */
const ANSWER_AGE_MS = 1_000

/** Writes a token's market cap into an element: `listed`, received `at`, or what the stream says later. */
export function useCap(
  caps: Caps,
  mint: string,
  listed: number,
  at: number,
  cell: RefObject<HTMLElement | null>,
): void {
  useLayoutEffect(() => {
    write(cell.current, usd(listed), false)
    return caps.watch(mint, (cap) => {
      if (cap.at >= at - ANSWER_AGE_MS) write(cell.current, usd(cap.usd), true)
    })
  }, [caps, mint, listed, at, cell])
}

/** milliseconds that a change stays marked */
const MARK_MS = 600
const marked = new Set<HTMLElement>()

/** Marks end together: separate animations would keep the browser painting all the time. */
function write(element: HTMLElement | null, text: string, marks: boolean): void {
  if (element === null || element.textContent === text) return
  element.textContent = text
  if (!marks) return
  element.dataset.changed = ''
  if (marked.size === 0)
    setTimeout(() => {
      for (const one of marked) delete one.dataset.changed
      marked.clear()
    }, MARK_MS)
  marked.add(element)
}
