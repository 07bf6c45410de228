import type { Actor, ActorEdges } from '../../model/actors.ts'
import { ACTORS } from '../constants.ts'
import type { StateReader } from '../state.ts'

/** A cache of actors over the store. It is cleared as a whole right after a commit and decides nothing. */
export interface ActorBook {
  /** Also finds actors that were merged into another. */
  byId(id: number): Actor
  /** The current actor of an id: merged actors resolve to the one they joined. */
  rootOf(id: number): Actor
  edgesOf(id: number): ActorEdges
  found(firstSlot: number, firstToken: number, founder: number): Actor
  touch(actor: Actor): void
  touchEdges(edges: ActorEdges): void
  readonly changes: { readonly actors: ReadonlySet<Actor>; readonly actorEdges: ReadonlySet<ActorEdges> }
  committed(): void
}

export function createActorBook(reader: Pick<StateReader, 'actor' | 'actorEdges'>, nextId: () => number): ActorBook {
  const actors = new Map<number, Actor>()
  const edges = new Map<number, ActorEdges>()
  const changes = { actors: new Set<Actor>(), actorEdges: new Set<ActorEdges>() }

  function kept<T>(known: Map<number, T>, id: number, read: (id: number) => T | undefined): T {
    let one = known.get(id)
    if (one !== undefined) return one
    one = read(id)
    if (one === undefined) throw new Error(`no actor has the id ${id}`)
    known.set(id, one)
    return one
  }

  const byId = (id: number): Actor => kept(actors, id, reader.actor)

  return {
    byId,
    rootOf(id) {
      let actor = byId(id)
      while (actor.mergedInto >= 0) actor = byId(actor.mergedInto)
      return actor
    },
    edgesOf: (id) => kept(edges, id, reader.actorEdges),
    found(firstSlot, firstToken, founder) {
      const actor: Actor = {
        id: nextId(),
        mergedInto: -1,
        firstSlot,
        firstToken,
        founder,
        lastSlot: firstSlot,
        wallets: [],
        tokens: [],
      }
      const none = { id: actor.id, edges: [] }
      actors.set(actor.id, actor)
      edges.set(actor.id, none)
      changes.actors.add(actor)
      changes.actorEdges.add(none)
      return actor
    },
    touch: (actor) => void changes.actors.add(actor),
    touchEdges: (of) => void changes.actorEdges.add(of),
    changes,
    committed() {
      changes.actors.clear()
      changes.actorEdges.clear()
      if (actors.size > ACTORS.cached) actors.clear()
      if (edges.size > ACTORS.cached) edges.clear()
    },
  }
}
