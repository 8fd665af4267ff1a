/** Reads the structure of a plan: its sections, its steps, and the files and repositories it names. */
import { type Block, oneLine, splitBlocks } from '../text/index.ts';
import { frontMatterSteps } from './front-matter-steps.ts';
import { namedFiles } from './named-files.ts';
import { namedRepositories } from './named-repositories.ts';
import { type SectionKind, sectionKind } from './section-kinds.ts';

/** A heading with everything under it, up to the next heading that is not below it. */
export interface PlanSection {
  title: string;
  kind: SectionKind;
  level: number;
  start: number;
  end: number;
}

export interface PlanStep {
  text: string;
  /** Whether it is checked; null if it has no checkbox. */
  done: boolean | null;
  /** The title of its section. */
  section: string | null;
  start: number;
  end: number;
}

export interface PlanStructure {
  sections: PlanSection[];
  steps: PlanStep[];
  files: string[];
  repositories: string[];
}

/** Plans are untrusted text, so the size of the result is limited. */
export const MAX_SECTIONS = 2000;
export const MAX_STEPS = 2000;

const MAX_TITLE_CHARACTERS = 200;
const MAX_STEP_CHARACTERS = 1000;

/** Parts of a section about steps that list something else. */
const LISTS_NO_STEPS =
  /^\P{L}*(?:affected|files?|risks?|notes?|non-?goals?|out of scope|assumptions?|dependenc|references?|alternatives?|constraints?|prerequisites?|requirements?|rollback|edge cases?|examples?|considerations?|key files?|critical files?|api|data)\b/iu;

const TASK_IN_QUOTE = /^[\s>]*(?:[-+*]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+(.*)$/;

export function readPlanStructure(content: string): PlanStructure {
  const blocks = splitBlocks(content);
  const reader = new StructureReader(content, titleHeading(blocks));
  for (const block of blocks) reader.read(block);
  reader.finish();
  return {
    sections: reader.sections,
    steps: reader.steps,
    files: namedFiles(content, blocks),
    repositories: namedRepositories(content, reader.repositoryBlocks),
  };
}

/** The heading that is the title of the document: the first one, if all others are below it. */
function titleHeading(blocks: Block[]): Block | null {
  let first: Block | null = null;
  for (const block of blocks) {
    if (block.kind !== 'heading') continue;
    if (first === null) first = block;
    else if (block.level <= first.level) return null;
  }
  return first;
}

interface OpenSection {
  section: PlanSection;
  listsSteps: boolean;
  /** Whether the sections below it list steps as well. */
  passesOn: boolean;
}

class StructureReader {
  readonly sections: PlanSection[] = [];
  readonly steps: PlanStep[] = [];
  /** The blocks in a section about repositories, and the headings directly below it. */
  readonly repositoryBlocks: Block[] = [];
  readonly #content: string;
  readonly #title: Block | null;
  /** The enclosing sections, outermost first. */
  readonly #open: OpenSection[] = [];
  /** The indentation of the first step; anything indented further belongs to a step. */
  #stepIndent: number | null = null;

  constructor(content: string, title: Block | null) {
    this.#content = content;
    this.#title = title;
  }

  read(block: Block): void {
    if (block.kind === 'heading') {
      this.#openSection(block);
      return;
    }
    if (this.#open.at(-1)?.section.kind === 'repositories') this.repositoryBlocks.push(block);
    if (block.kind === 'list-item') this.#readItem(block);
    else if (block.kind === 'quote') this.#readQuote(block);
    else if (block.kind === 'front-matter') {
      for (const step of frontMatterSteps(this.#content, block)) this.#addStep(step.text, step.done, step);
    }
  }

  finish(): void {
    this.#closeSections(0, this.#content.length);
  }

  #openSection(block: Block): void {
    this.#closeSections(block.level, block.start);
    this.#stepIndent = null;
    if (this.sections.length === MAX_SECTIONS) return;
    const { level, start } = block;
    const title = oneLine(this.#content.slice(block.textStart, block.textEnd), MAX_TITLE_CHARACTERS);
    const kind = sectionKind(title, level);
    const parent = this.#open.at(-1);
    if (parent?.section.kind === 'repositories') this.repositoryBlocks.push(block);
    const inherits = kind === 'other' && parent?.passesOn === true && !LISTS_NO_STEPS.test(title);
    const section = { title, kind, level, start, end: start };
    this.sections.push(section);
    const listsSteps = kind === 'steps' || inherits;
    // A title such as "Implementation plan" says nothing about the lists in the sections of the plan.
    this.#open.push({ section, listsSteps, passesOn: listsSteps && block !== this.#title });
  }

  #closeSections(level: number, end: number): void {
    while (this.#open.length > 0 && this.#open.at(-1)!.section.level >= level) {
      this.#open.pop()!.section.end = end;
    }
  }

  #readItem(block: Block): void {
    if (block.task === null) {
      if (block.depth > 0 || !this.#open.at(-1)?.listsSteps) return;
      const indent = this.#content.slice(block.start, block.textStart).search(/\S/);
      this.#stepIndent ??= indent;
      if (indent > this.#stepIndent + 1) return;
    }
    this.#addStep(this.#content.slice(block.textStart, block.textEnd), block.task, block);
  }

  #readQuote(block: Block): void {
    const text = this.#content.slice(block.start, block.end);
    if (!text.includes('[')) return;
    let start = block.start;
    for (const line of text.split('\n')) {
      const task = TASK_IN_QUOTE.exec(line.trimEnd());
      if (task) this.#addStep(task[2]!, task[1] !== ' ', { start, end: start + line.trimEnd().length });
      start += line.length + 1;
    }
  }

  #addStep(markdown: string, done: boolean | null, { start, end }: { start: number; end: number }): void {
    if (this.steps.length === MAX_STEPS) return;
    const text = oneLine(markdown, MAX_STEP_CHARACTERS);
    const section = this.#open.at(-1)?.section.title ?? null;
    if (text !== '') this.steps.push({ text, done, section, start, end });
  }
}
