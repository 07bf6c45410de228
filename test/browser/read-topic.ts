import type { Site } from './site.ts'

interface Message {
  readonly type: string
  readonly data: unknown
}

/** Every message of a topic so far, from its first. */
export async function readTopic({ url, key }: Site, topic: string): Promise<Message[]> {
  const answer = await fetch(`${url}/v1/stream?topic=${topic}&after_seq=0`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(60_000),
  })
  if (!answer.ok || answer.body === null) throw new Error(`${topic}: ${answer.status} ${await answer.text()}`)
  const found: Message[] = []
  let [rest, last] = ['', Number.POSITIVE_INFINITY]
  for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const [, data] = /^data: (.*)$/m.exec(event) ?? []
      if (data === undefined) continue
      const message = JSON.parse(data)
      if (/^event: joined$/m.test(event)) last = message.seq
      else found.push(message)
    }
    if (found.length >= last) break
  }
  return found
}
