import { spawnNode, ROOT } from './service.ts'
import { makeKeys } from '../test/simulation/keys.ts'
import { rmSync, writeFileSync, existsSync, readFileSync } from 'node:fs'
import { WebSocket } from 'ws'
rmSync('/tmp/bq', { recursive: true, force: true }); rmSync('/tmp/bq.left.go', { force: true }); rmSync('/tmp/bq.left', { force: true })
const keys = await makeKeys('/tmp/bq', 1)
const node = spawnNode({ DATA_DIR: '/tmp/bq', PAYMENTS: 'off', OBSERVE: 'off', LOG_LEVEL: 'info' }, [], 'paced:left=/tmp/bq.left&tps=1000&blocks=20', ROOT + '/bench')
const url = await node.url; console.log(url)
while ((await node.ready()) === null) { await new Promise(r => setTimeout(r, 200)) }
console.log('ready', await node.ready())
const ws = new WebSocket(url.replace('http', 'ws') + '/socket/websocket?vsn=2.0.0&api_key=' + keys[0])
let n = 0
ws.on('open', () => ws.send('["1","1","frames:live","phx_join",{}]'))
ws.on('message', (m) => { if (n++ < 3) console.log(String(m).slice(0, 300)) })
ws.on('error', console.log)
await new Promise(r => setTimeout(r, 1500))
writeFileSync('/tmp/bq.left.go', '')
await new Promise(r => setTimeout(r, 8000))
console.log(n, existsSync('/tmp/bq.left') && readFileSync('/tmp/bq.left', 'utf8').split('\n').length, await (await fetch(url + '/readyz')).text())
await node.stop(); process.exit()
