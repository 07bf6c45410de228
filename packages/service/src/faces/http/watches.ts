import { alertJson } from '../../alerts/alert.ts'
import { NO_WATCH, newWatchOf, type WatchServices, watchJson } from '../../alerts/watch-json.ts'
import { type AddOperation, accepted, DELETED, found, idOf, Refusal } from './account-request.ts'

/** Adds the operations on watches and alerts. */
export function addWatches(on: AddOperation, { book, alertStore }: WatchServices): void {
  on('watches', async (_, { id }) => (await book.list(id)).map(watchJson))
  on('add_watch', async ({ body }, { id, plan }) =>
    watchJson(accepted(await book.add(id, plan, newWatchOf(body))).watch),
  )
  on('change_watch', async (asked, { id }) => {
    const { min_sol, ...to } = asked.body
    const least = min_sol === undefined ? {} : { minLamports: Math.round(min_sol * 1e9) }
    const changed = await book.change(id, idOf(asked), { ...to, ...least })
    if ('missing' in changed) throw new Refusal('not_found', NO_WATCH)
    return watchJson(accepted(changed).watch)
  })
  on('remove_watch', async (asked, { id }) => {
    found((await book.remove(id, idOf(asked))) || null, NO_WATCH)
    return DELETED
  })
  on('alerts', async ({ query: { after_seq: after, before_seq: before } }, { id }) => {
    const alerts = after === undefined ? alertStore.newest(id, before) : alertStore.since(id, after)
    return (await alerts).map(alertJson)
  })
}
