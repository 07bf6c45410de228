import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

test('a report resolves no names of peers: it would do so on the event loop', () => {
  const main = new URL('main.ts', import.meta.url).href
  const program = `
    process.argv.push('--version')
    await import(${JSON.stringify(main)})
    const { createServer, connect } = await import('node:net')
    const server = createServer().listen(0, '127.0.0.1', () => {
      const socket = connect({ port: server.address().port, host: '127.0.0.1' }, () => {
        const peers = process.report.getReport().libuv.map(({ remoteEndpoint }) => remoteEndpoint).filter(Boolean)
        console.log(JSON.stringify(peers.map(({ ip4, host }) => ({ ip4, host }))))
        socket.destroy()
        server.close()
      })
    })`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8' })
  const peer = { ip4: '127.0.0.1', host: '127.0.0.1' }
  assert.deepEqual(JSON.parse(printed.trim().split('\n').at(-1)!), [peer, peer])
})
