import { openApiText } from '../contract/openapi.ts'
import { FORMULAS_VERSION } from '../engine/constants.ts'
import { type Command, parse } from './command.ts'

const usage = `openapi
  prints the OpenAPI document of the REST interface`

/** The document as served and as checked in. */
export const OPENAPI_TEXT = openApiText({ formulasVersion: FORMULAS_VERSION })

export const openapi: Command = {
  usage,
  async run(args) {
    parse(usage, args, {}, { min: 0, max: 0 })
    process.stdout.write(OPENAPI_TEXT)
  },
}
