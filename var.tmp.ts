import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { fastify } from 'fastify'
import { createKey, openKeys } from './src/access/keys.ts'
import { createLogger } from './src/base/log.ts'
import { createMetrics } from './src/base/metrics.ts'
import { EXAMPLE_ADDRESSES } from './src/contract/examples.ts'
import { createHttpFace } from './src/faces/http/face.ts'
import {envelope,send} from './src/faces/http/answer.ts'
import {createRequestIds} from './src/faces/http/request-id.ts'
import {createScreen} from './src/faces/http/screen.ts'
import {createTraffic} from './src/faces/http/traffic.ts'
import {hash} from 'node:crypto'
import { keyFromBase58 } from './src/base/base58.ts'
import { PARAMETERS } from './src/contract/parameters.ts'
const MINT = EXAMPLE_ADDRESSES.mint
const big = Buffer.from(JSON.stringify({x:'a'.repeat(4138)}))
const body = Buffer.concat([big, Buffer.alloc(120,32)])
const H2 = {'content-type':'application/json; charset=utf-8','content-length':body.length}
const H6 = ['content-type','application/json; charset=utf-8','content-length',String(body.length),'x-request-id','req_4Z2r8o0yTq1mXa3B','cache-control','no-store','access-control-allow-origin','*','access-control-expose-headers','X-Request-Id, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE']
const H3 = H6.slice(0,6)
let scratch = Buffer.alloc(8192)

const K=new Int32Array(64),W=new Int32Array(64);{let n=0;for(let p=2;n<64;p++){let ok=true;for(let d=2;d*d<=p;d++)if(p%d===0)ok=false;if(ok)K[n++]=((Math.cbrt(p)%1)*2**32)|0}}
function sha(s:string):string{const l=s.length;for(let i=0;i<16;i++)W[i]=0;for(let i=0;i<l;i++)W[i>>2]!|=s.charCodeAt(i)<<(24-((i&3)<<3));W[l>>2]!|=0x80<<(24-((l&3)<<3));W[15]=l*8
for(let i=16;i<64;i++){const a=W[i-15]!,b=W[i-2]!;W[i]=(W[i-16]!+W[i-7]!+(((a>>>7)|(a<<25))^((a>>>18)|(a<<14))^(a>>>3))+(((b>>>17)|(b<<15))^((b>>>19)|(b<<13))^(b>>>10)))|0}
let a=0x6a09e667,b=0xbb67ae85|0,c=0x3c6ef372,d=0xa54ff53a|0,e=0x510e527f,f=0x9b05688c|0,g=0x1f83d9ab,h=0x5be0cd19
for(let i=0;i<64;i++){const t1=(h+(((e>>>6)|(e<<26))^((e>>>11)|(e<<21))^((e>>>25)|(e<<7)))+((e&f)^(~e&g))+K[i]!+W[i]!)|0;const t2=((((a>>>2)|(a<<30))^((a>>>13)|(a<<19))^((a>>>22)|(a<<10)))+((a&b)^(a&c)^(b&c)))|0;h=g;g=f;f=e;e=(d+t1)|0;d=c;c=b;b=a;a=(t1+t2)|0}
return String.fromCharCode((a>>>16)&65535,a&65535,b&65535,c&65535,d&65535,e&65535,f&65535,g&65535,h&65535)}
const kinds: Record<string, (dir:string)=>Promise<any>> = {
  bare: async()=>createServer((q,r)=>{r.writeHead(200,H2);r.end(body)}),
  bare2: async()=>createServer((q,r)=>{r.writeHead(200,H2);r.end(body)}),
  h3: async()=>createServer((q,r)=>{r.writeHead(200,H3 as any);r.end(body)}),
  h6: async()=>createServer((q,r)=>{r.writeHead(200,H6 as any);r.end(body)}),
  str: async()=>{const t=body.toString('latin1');return createServer((q,r)=>{r.writeHead(200,H3 as any);r.end(t,'latin1')})},
  strcat: async()=>{const t=body.toString('latin1');let n=1e9;const mk=()=>'{"data":'+t+',"meta":{"cached_at":"2026-10-01T01:25:24.000000Z","request_id":"req_4Z2r8o0yT'+(n++)+'"}}';const l=String(mk().length);return createServer((q,r)=>{r.writeHead(200,['content-type','application/json; charset=utf-8','content-length',l,'x-request-id','req_4Z2r8o0yTq1mXa3B'] as any);r.end(mk(),'latin1')})},
  vid: async()=>{const rendered={bytes:big,renderedAt:'2026-10-01T01:25:24.000000Z'};const ids=createRequestIds();return createServer((q,r)=>{const id=ids();send(r,200,id,'application/json; charset=utf-8',envelope(rendered,id))})},
  vkey: async(dir)=>{const k=openKeys(dir);const rendered={bytes:big,renderedAt:'2026-10-01T01:25:24.000000Z'};const ids=createRequestIds();return createServer((q,r)=>{const id=ids();if(!k.check(q.headers.authorization).ok)throw 1;send(r,200,id,'application/json; charset=utf-8',envelope(rendered,id))})},
  vparse: async(dir)=>{const k=openKeys(dir);const rendered={bytes:big,renderedAt:'2026-10-01T01:25:24.000000Z'};const ids=createRequestIds();return createServer((q,r)=>{const id=ids();const parsed=PARAMETERS.mint.parse(q.url!.slice(11));if(!parsed.ok)throw 1;if(!k.check(q.headers.authorization).ok)throw 1;send(r,200,id,'application/json; charset=utf-8',envelope(rendered,id))})},
  vscreen: async(dir)=>{const k=openKeys(dir);const rendered={bytes:big,renderedAt:'2026-10-01T01:25:24.000000Z'};const ids=createRequestIds();return createServer(createScreen({newRequestId:ids,knownPath:()=>true,count:()=>{},next:(q,r)=>{const id=ids();const parsed=PARAMETERS.mint.parse(q.url!.slice(11));if(!parsed.ok)throw 1;if(!k.check(q.headers.authorization).ok)throw 1;send(r,200,id,'application/json; charset=utf-8',envelope(rendered,id))}}))},
  vrec: async(dir)=>{const rec=createTraffic(createMetrics()).operation('x');const k=openKeys(dir);const rendered={bytes:big,renderedAt:'2026-10-01T01:25:24.000000Z'};const ids=createRequestIds();return createServer(createScreen({newRequestId:ids,knownPath:()=>true,count:()=>{},next:(q,r)=>{const t=performance.now();const id=ids();const parsed=PARAMETERS.mint.parse(q.url!.slice(11));if(!parsed.ok)throw 1;if(!k.check(q.headers.authorization).ok)throw 1;send(r,200,id,'application/json; charset=utf-8',envelope(rendered,id));rec(200,performance.now()-t)}}))},
  kauth: async(dir)=>{const rendered={bytes:big,renderedAt:'2026-10-01T01:25:24.000000Z'};const ids=createRequestIds();return createServer((q,r)=>{const id=ids();if(q.headers.authorization!.slice(7).length<5)throw 1;send(r,200,id,'application/json; charset=utf-8',envelope(rendered,id))})},
  khash: async(dir)=>{const rendered={bytes:big,renderedAt:'2026-10-01T01:25:24.000000Z'};const ids=createRequestIds();return createServer((q,r)=>{const id=ids();if(hash('sha256',q.headers.authorization!.slice(7),'binary').length<5)throw 1;send(r,200,id,'application/json; charset=utf-8',envelope(rendered,id))})},
  khashb: async(dir)=>{const rendered={bytes:big,renderedAt:'2026-10-01T01:25:24.000000Z'};const ids=createRequestIds();return createServer((q,r)=>{const id=ids();if(hash('sha256',q.headers.authorization!.slice(7),'buffer').length<5)throw 1;send(r,200,id,'application/json; charset=utf-8',envelope(rendered,id))})},
  khmap: async(dir)=>{const m=new Map();const rendered={bytes:big,renderedAt:'2026-10-01T01:25:24.000000Z'};const ids=createRequestIds();return createServer((q,r)=>{const id=ids();if(m.get(hash('sha256',q.headers.authorization!.slice(7),'binary')))throw 1;send(r,200,id,'application/json; charset=utf-8',envelope(rendered,id))})},
  kjs: async(dir)=>{const rendered={bytes:big,renderedAt:'2026-10-01T01:25:24.000000Z'};const ids=createRequestIds();return createServer((q,r)=>{const id=ids();if(sha(q.headers.authorization!.slice(7)).length<5)throw 1;send(r,200,id,'application/json; charset=utf-8',envelope(rendered,id))})},
  h3read: async()=>createServer((q,r)=>{void q.headers.authorization;r.writeHead(200,H3 as any);r.end(body)}),
  copy: async()=>createServer((q,r)=>{const b=Buffer.allocUnsafe(body.length);body.copy(b);r.writeHead(200,H2 as any);r.end(b)}),
  copyscratch: async()=>createServer((q,r)=>{const b=scratch.subarray(0,body.length);body.copy(b);r.writeHead(200,H2 as any);r.end(b)}),
  key: async(dir)=>{const k=openKeys(dir);return createServer((q,r)=>{if(!k.check(q.headers.authorization).ok)throw 1;r.writeHead(200,H2 as any);r.end(body)})},
  b58: async(dir)=>{return createServer((q,r)=>{if(!keyFromBase58(MINT))throw 1;r.writeHead(200,H2 as any);r.end(body)})},
  fast: async()=>{const a=fastify({exposeHeadRoutes:false});a.route({method:'GET',url:'/v1/tokens/:mint',handler:(q,p)=>{const r=p.hijack().raw;r.writeHead(200,H2);r.end(body)}});await a.ready();return a},
  fastsf: async()=>{const a=fastify({exposeHeadRoutes:false, serverFactory:(h:any)=>createServer((q,r)=>h(q,r))});a.route({method:'GET',url:'/v1/tokens/:mint',handler:(q,p)=>{const r=p.hijack().raw;r.writeHead(200,H2);r.end(body)}});await a.ready();return a},
  fastsend: async()=>{const a=fastify({exposeHeadRoutes:false});a.route({method:'GET',url:'/v1/tokens/:mint',handler:(q,p)=>{p.headers(H2);p.send(body)}});await a.ready();return a},
  facenp: async(dir)=>{const rendered={bytes:big,renderedAt:'2026-10-01T01:25:24.000000Z'};const status={ ready: true, starting: false, reason: null, lagSlots: 0, seq: 1, slot: 1 }
    return createHttpFace({query:{snapshot:()=>rendered} as any,keys:openKeys(dir),status:()=>status,logger:createLogger('info'),metrics:createMetrics(),publicUrl:'http://x',openApi:'{}'})},
  fenv: async()=>{const ids=createRequestIds();const rendered={bytes:big,renderedAt:'2026-10-01T01:25:24.000000Z'};const a=fastify({exposeHeadRoutes:false,genReqId:ids});a.route({method:'GET',url:'/v1/tokens/:mint',handler:(q,p)=>{const r=p.hijack().raw;const b=envelope(rendered,q.id);send(r,200,q.id,'application/json; charset=utf-8',b);}});await a.ready();return a},
  fenvkey: async(dir)=>{const k=openKeys(dir);const ids=createRequestIds();const rendered={bytes:big,renderedAt:'2026-10-01T01:25:24.000000Z'};const a=fastify({exposeHeadRoutes:false,genReqId:ids});a.route({method:'GET',url:'/v1/tokens/:mint',handler:(q,p)=>{const r=p.hijack().raw;if(!k.check(q.raw.headers.authorization).ok)throw 1;const b=envelope(rendered,q.id);send(r,200,q.id,'application/json; charset=utf-8',b);}});await a.ready();return a},
  fenvkeyp: async(dir)=>{const k=openKeys(dir);const ids=createRequestIds();const rendered={bytes:big,renderedAt:'2026-10-01T01:25:24.000000Z'};const a=fastify({exposeHeadRoutes:false,genReqId:ids});a.route({method:'GET',url:'/v1/tokens/:mint',handler:(q,p)=>{const r=p.hijack().raw;const parsed=PARAMETERS.mint.parse((q.params as any).mint);if(!parsed.ok)throw 1;if(!k.check(q.raw.headers.authorization).ok)throw 1;const b=envelope(rendered,q.id);send(r,200,q.id,'application/json; charset=utf-8',b);}});await a.ready();return a},
  face: async(dir)=>{const rendered={bytes:big,renderedAt:'2026-10-01T01:25:24.000000Z'};const status={ ready: true, starting: false, reason: null, lagSlots: 0, seq: 1, slot: 1 }
    return createHttpFace({query:{snapshot:()=>rendered} as any,keys:openKeys(dir),status:()=>status,logger:createLogger('info'),metrics:createMetrics({process:true}),publicUrl:'http://x',openApi:'{}'})},
}
async function child(kind:string,dir:string){
  const s = await kinds[kind]!(dir); let port
  if (kind.startsWith('face')) port=(await s.listen('127.0.0.1',0)).port
  else if (kind.startsWith('f')) { await s.listen({port:0,host:'127.0.0.1'}); port=s.server.address().port }
  else { s.listen(0,'127.0.0.1'); await once(s,'listening'); port=s.address().port }
  process.on('message',()=>{const c=process.cpuUsage();process.send!([c.user,c.system])}); process.on('disconnect',()=>process.exit(0)); process.send!(port)
}
async function drive(port:number,request:string,total:number,n=16){
  let sent=0
  await Promise.all(Array.from({length:n},async()=>{const s=connect(port,'127.0.0.1').setNoDelay(true);let len=0,got=0
    const ask=()=>{got=0;if(sent++<total)s.write(request);else s.end()}
    s.on('connect',ask);s.on('data',c=>{got+=c.length;if(!len){const h=c.toString('latin1');len=h.indexOf('\r\n\r\n')+4+Number(/content-length: (\d+)/i.exec(h)![1])}if(got>=len)ask()});await once(s,'close')}))
}
async function main(){
  const names=process.argv.slice(2); const dir=mkdtempSync('/tmp/http/d-'); const {key}=createKey(dir,'x')
  const request=`GET /v1/tokens/${MINT} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\nAccept: */*\r\n\r\n`
  const ss=[] as any[]
  for(const n of names){const p=fork(fileURLToPath(import.meta.url),[n,dir],{execArgv:['--import','tsx']});const [port]=await once(p,'message');ss.push({n,p,port,u:[],s:[]})}
  for(const s of ss) await drive(s.port,request,15000)
  const cpu=async(s:any)=>{s.p.send('c');return (await once(s.p,'message'))[0]}
  for(let r=0;r<31;r++) for(const s of ss){const a=await cpu(s);await drive(s.port,request,4000);const b=await cpu(s);s.u.push((b[0]-a[0])/4000);s.s.push((b[1]-a[1])/4000)}
  const med=(v:number[])=>[...v].sort((a,b)=>a-b)[v.length>>1]!
  for(const s of ss){const t=s.u.map((x:number,i:number)=>x+s.s[i]); const base=ss[0].u.map((x:number,i:number)=>x+ss[0].s[i]);console.log(s.n.padEnd(12),'user',med(s.u).toFixed(1),'sys',med(s.s).toFixed(1),'total',med(t).toFixed(1),'min',Math.min(...t).toFixed(1),'p25',[...t].sort((a:number,b:number)=>a-b)[6].toFixed(1),'ratio',med(t.map((x:number,i:number)=>x/base[i])).toFixed(2));s.p.disconnect()}
}
if (process.send) await child(process.argv[2]!,process.argv[3]!); else await main()
