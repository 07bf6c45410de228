import { parse } from 'node:querystring'
import type { QueryParameters } from '@ti/core/query/operations.ts'

const NO_QUERY: QueryParameters = Object.freeze({})
/** parameters of a query that are read */
const QUERY_KEYS = 100

export const queryOf = (search: string): QueryParameters =>
  search === '' ? NO_QUERY : parse(search, '&', '=', { maxKeys: QUERY_KEYS })
