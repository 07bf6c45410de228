import { benchStreams } from '/work/bench39/bench/streams.ts'
for (const r of await benchStreams()) console.log(r)
