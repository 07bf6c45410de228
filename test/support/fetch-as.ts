import { request } from 'node:http'

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A fetch that names a host other than the one it connects to, as a proxy does; the global one refuses that. */
export const fetchAs =
  (host: string) =>
  (url: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Response> =>
    new Promise((done, fail) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const asking = request(url, { method, headers: { ...length, host, ...headers } }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => void chunks.push(chunk))
        answer.on('error', fail)
        answer.on('end', () => {
          const status = answer.statusCode!
          const given = new Headers()
          for (let at = 0; at < answer.rawHeaders.length; at += 2) {
            given.append(answer.rawHeaders[at]!, answer.rawHeaders[at + 1]!)
          }
          done(
            new Response(status === 204 || status === 304 ? null : Buffer.concat(chunks), { status, headers: given }),
          )
        })
      })
      asking.on('error', fail).end(body)
    })
