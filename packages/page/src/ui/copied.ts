import type { Duplication } from '@ti/core/contract/resources.ts'

/** What nobody has in common by chance. Names and symbols are repeated every few minutes. */
const LOOKS = ['image', 'twitter', 'telegram', 'website'] as const

/** Whether image or links were somebody else's before. */
export const looksCopied = (duplication: Duplication): boolean => LOOKS.some((field) => duplication[field] === true)
