import { benchConditions } from './conditions.ts'

console.log(await benchConditions())
