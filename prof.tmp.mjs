import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { rmSync, mkdtempSync } from 'node:fs'
const kind=process.argv[2]; rmSync('/tmp/http/prof-'+kind,{recursive:true,force:true})
const {createKey}=await import('./src/access/keys.ts'); const dir=mkdtempSync('/tmp/http/d-'); const {key}=createKey(dir,'x')
const request=`GET /v1/tokens/93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\nAccept: */*\r\n\r\n`
const server=fork('./var.tmp.ts',[kind,dir],{execArgv:['--import','tsx','--cpu-prof','--cpu-prof-interval','200','--cpu-prof-dir=/tmp/http/prof-'+kind]})
const [port]=await once(server,'message'); let sent=0; const total=120000
await Promise.all(Array.from({length:16},async()=>{const s=connect(Number(port),'127.0.0.1').setNoDelay(true);let len=0,got=0
const ask=()=>{got=0;if(sent++<total)s.write(request);else s.end()}
s.on('connect',ask);s.on('data',c=>{got+=c.length;if(!len){const h=c.toString('latin1');len=h.indexOf('\r\n\r\n')+4+Number(/content-length: (\d+)/i.exec(h)[1])}if(got>=len)ask()});await once(s,'close')}))
server.disconnect();await once(server,'exit')
