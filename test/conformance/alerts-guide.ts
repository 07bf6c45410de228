/* The function that docs/alerts.md shows: compiled here, compared with the page and run by a test. */
import { Webhook } from 'standardwebhooks'
import type { Alert } from '../../src/alerts/alert.ts'

/** The alert of a request whose signature is right; throws otherwise. `body`: the bytes as they came. */
export function readAlert(secret: string, body: string, headers: Record<string, string>) {
  const message = new Webhook(secret).verify(body, headers) as { type: string; timestamp: string; data: Alert }
  return message.data
}
