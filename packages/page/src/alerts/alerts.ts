import { useSyncExternalStore } from 'react'
import { send } from '../api/client.ts'
import { announce } from '../ui/announce.ts'
import { notify } from '../ui/notices.ts'
import { type Alert, alertPath } from './alert.ts'
import { notifyBrowser } from './browser.ts'
import { keep, kept } from './kept.ts'
import { type AlertsState, createAlerts, unreadOf } from './store.ts'
import { setUnread } from './unread.ts'

/** more alerts than this at once are announced as one */
const ONE_BY_ONE = 3

export const alerts = createAlerts({
  get: (path) => send('GET', path),
  readOf: (account) => kept(account).read,
  keepRead: (account, read) => keep(account, { read }),
  onNew: tellAll,
})
alerts.onChange(() => setUnread(unreadOf(alerts.state())))

export const useAlerts = (): AlertsState => useSyncExternalStore(alerts.onChange, alerts.state)

function tellAll(news: readonly Alert[]): void {
  if (news.length > ONE_BY_ONE) {
    const text = `${news.length} new alerts`
    announce(text)
    notify({ text, to: '/account#alerts' })
    notifyBrowser({ id: news.at(-1)!.id, title: text, body: news.at(-1)!.title, path: '/account#alerts' })
    return
  }
  for (const alert of news) {
    const path = alertPath(alert)
    announce(`Alert: ${alert.title}`)
    notify({ text: alert.title, to: path })
    notifyBrowser({ id: alert.id, title: alert.title, body: alert.watch.name, path })
  }
}
