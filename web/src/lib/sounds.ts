/** What a table sounds like, made here: no file is fetched. Voices are the browser's own. */

import { speech } from "./i18n.svelte";
import { prefs } from "./prefs.svelte";

/** Each tone: when it begins, how long it is, its pitch from and to, and how loud; a pitch of 0 is noise. */
type Tone = readonly [at: number, long: number, from: number, to: number, loud: number];

const SOUNDS = {
  chip: [[0, 0.05, 0, 0, 0.25], [0, 0.06, 2_600, 2_100, 0.12], [0.045, 0.05, 3_100, 2_500, 0.08]],
  card: [[0, 0.11, 0, 0, 0.2], [0.08, 0.05, 260, 160, 0.18]],
  tick: [[0, 0.04, 1_200, 1_150, 0.1]],
  open: [[0, 0.16, 660, 660, 0.1], [0.13, 0.22, 880, 880, 0.1]],
  close: [[0, 0.16, 660, 660, 0.1], [0.13, 0.26, 440, 440, 0.1]],
  won: [[0, 0.14, 660, 660, 0.12], [0.12, 0.14, 830, 830, 0.12], [0.24, 0.34, 990, 990, 0.12]],
  refused: [[0, 0.16, 220, 170, 0.16]],
} as const satisfies Record<string, readonly Tone[]>;
export type Sound = keyof typeof SOUNDS;

let context: AudioContext | null = null;

/** Play a sound, unless somebody wants none. Browsers keep quiet until the page has been touched. */
export function play(sound: Sound): void {
  if (!prefs.sound || !navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  for (const tone of SOUNDS[sound]) sing(context, tone);
}

function sing(within: AudioContext, [at, long, from, to, loud]: Tone): void {
  const start = within.currentTime + at, end = start + long;
  const gain = within.createGain();
  gain.gain.setValueAtTime(loud, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, end);
  gain.connect(within.destination);
  let source: AudioScheduledSourceNode;
  if (from === 0) {
    const noise = within.createBuffer(1, Math.ceil(within.sampleRate * long), within.sampleRate);
    const samples = noise.getChannelData(0);
    for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
    const buffered = within.createBufferSource();
    buffered.buffer = noise;
    source = buffered;
  } else {
    const whistle = within.createOscillator();
    whistle.frequency.setValueAtTime(from, start);
    whistle.frequency.exponentialRampToValueAtTime(to, end);
    source = whistle;
  }
  source.connect(gain);
  source.start(start);
  source.stop(end);
}

const VOICES = { en: "en-GB", "zh-Hans": "zh-CN", vi: "vi-VN" } as const;

/** Call something out in the language of the page, over whatever was being said. */
export function call(words: string): void {
  if (!prefs.sound || !navigator.userActivation.hasBeenActive || !("speechSynthesis" in window)) return;
  const said = new SpeechSynthesisUtterance(words);
  said.lang = VOICES[speech.language];
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}
