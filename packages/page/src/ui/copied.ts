import type { Duplication } from '@ti/core/contract/resources.ts'

/** Fields that tokens do not share by chance; names and symbols repeat every few minutes. */
const LOOKS = ['image', 'twitter', 'telegram', 'website'] as const

/** The image or a link belonged to an earlier token. */
export const looksCopied = (duplication: Duplication): boolean => LOOKS.some((field) => duplication[field] === true)
