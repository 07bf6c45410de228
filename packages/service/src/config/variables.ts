import { z } from 'zod'

/** A text variable. `valid` names what it takes. */
export const variable = (valid: string | (() => string), check: (text: string) => boolean) =>
  z.string().refine(check, typeof valid === 'string' ? valid : { error: valid })

export const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** Items between commas, without blanks around them and without empty ones. */
export const itemsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** Whether SOURCE follows the chain as it goes on: what it brings is of now, or late. */
export const isLiveSource = (source: string): boolean => /^(yellowstone|rpc):/.test(source)
