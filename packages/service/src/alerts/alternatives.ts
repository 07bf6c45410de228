import type { Node } from '@ti/core/contract/filter.ts'

export interface Atom {
  readonly of: Extract<Node, { kind: 'is' }>
  readonly negated: boolean
}

/** The most alternatives of an `and` of `or`s; a part that would make more is left out. */
const ALTERNATIVES = 8

/**
 * Returns lists of comparisons: if the filter is true, all of one list hold. The converse is not said, because parts may be left out.
 */
export function alternativesOf(node: Node, negated = false): readonly (readonly Atom[])[] {
  if (node.kind === 'is') return [[{ of: node, negated }]]
  if (node.kind === 'not') return alternativesOf(node.part, !negated)
  const lists = node.parts.map((part) => alternativesOf(part, negated))
  if ((node.kind === 'or') !== negated) return lists.flat()
  let all: readonly (readonly Atom[])[] = [[]]
  for (const list of lists) {
    if (all.length * list.length > ALTERNATIVES) continue
    all = all.flatMap((one) => list.map((other) => [...one, ...other]))
  }
  return all
}
