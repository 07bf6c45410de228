import { z } from 'zod'
import { text } from './scalars.ts'

const whole = (what: string) => z.int().min(0).describe(what)

const outcomes = { n: whole('outcomes'), hits: whole('of these, how many came true') }
const expected = z.number().min(0).describe('sum of the probabilities that were served when they were asked')
const brier = z
  .number()
  .min(0)
  .max(1)
  .describe('mean squared error of the served probabilities; null without an outcome')
  .nullable()

const Band = z
  .object({
    band: z.int().min(1).max(10).describe('tenth of the probability served: 1 is below 10%'),
    ...outcomes,
    expected,
  })
  .meta({ id: 'AccuracyBand' })

const AgeClass = z
  .object({
    from_slots: whole('youngest age in it; ends where the next begins'),
    ...outcomes,
    brier,
    bands: z.array(Band).length(10),
  })
  .meta({ id: 'AccuracyAge' })

const QuestionAccuracy = z
  .object({
    question: z.enum(['drain', 'halving', 'buyer']),
    ...outcomes,
    expected,
    brier,
    ages: z.array(AgeClass).length(3),
  })
  .meta({ id: 'QuestionAccuracy' })

/** The track record over all questions ever asked. */
export const Accuracy = z
  .object({
    formulas_version: text().describe('formulas that made all of it'),
    since_slot: whole('of the first question; null before it').nullable(),
    slot: whole('up to which outcomes are counted'),
    questions: z.array(QuestionAccuracy).length(3),
  })
  .meta({ id: 'Accuracy' })
export type Accuracy = z.infer<typeof Accuracy>
