// The program of this repository with the source of bench/paced.ts: `node scripts/server.mjs bench` builds it.
import './paced.ts'
import '@ti/lab/main.ts'
