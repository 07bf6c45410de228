import assert from 'node:assert/strict'
import { test } from 'node:test'
import { speaksOfVerdicts } from './verdict-words.ts'

test('names that would pass for a verdict, in whatever letters and however they are spaced', () => {
  for (const name of [
    'GREEN',
    'Totally Safe Inu',
    's a f e',
    'S.A.F.E',
    '\u0405\u0410F\u0415', // Cyrillic
    'GR\u0395\u0395\u039d', // Greek capitals
    'gr\u0435\u0435n',
    '\uff53\uff41\uff46\uff45',
    '𝓿𝓮𝓻𝓲𝓯𝓲𝓮𝓭',
    'ɢʀᴇᴇɴ',
    '🅂🄰🄵🄴',
    '🅶🆁🅴🅴🅽',
    '🇸 🇦 🇫 🇪',
    'S猫A猫F猫E',
    's\u0301a\u0301f\u0301e\u0301',
    'V3R1F13D',
    'verlfied',
    'AUDlTED',
    '$AFE',
    'No Risk',
    'not a rug',
    '10/10',
    'score 9 of 10',
    '✅ dev',
    'RED',
    'Ok',
  ])
    assert.equal(speaksOfVerdicts(name), true, name)
})

test('other names', () => {
  for (const name of [
    'WIF',
    'Example Moon',
    'Redwood',
    'Bonk',
    'Книга',
    'Ελλάδα',
    '猫猫',
    'Okapi',
    '100x',
    'PEPE 2.0',
    '',
  ])
    assert.equal(speaksOfVerdicts(name), false, name)
})
