// Tools that only fill the list: about 1.1 KB each, in the shape that real servers publish.

const subjects = [
  'issue',
  'invoice',
  'order',
  'document',
  'calendar',
  'contact',
  'ticket',
  'release',
  'branch',
  'report',
];
const verbs = [
  'search',
  'create',
  'update',
  'archive',
  'assign',
  'export',
  'compare',
  'review',
  'schedule',
  'summarize',
];

export function fillerTools(count) {
  return Array.from({ length: count }, (_, index) => fillerTool(index));
}

function fillerTool(index) {
  const verb = verbs[index % verbs.length];
  const subject = subjects[Math.floor(index / verbs.length) % subjects.length];
  return {
    name: `${verb}_${subject}_${index}`,
    description: `Use this tool to ${verb} one ${subject} or several. Answers with the ${subject} identifiers that were touched and never changes anything outside the given project.`,
    input: inputSchema(verb, subject),
    run: () => 'done',
  };
}

function inputSchema(verb, subject) {
  return {
    type: 'object',
    properties: {
      project: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        description: `Project that the ${subject} belongs to`,
      },
      [`${subject}Id`]: {
        type: 'string',
        pattern: '^[a-z0-9-]{4,36}$',
        description: `Identifier of the ${subject} to ${verb}`,
      },
      filter: {
        type: 'object',
        description: 'Narrows down what is touched; every part is optional',
        properties: {
          state: { type: 'string', enum: ['open', 'closed', 'all'] },
          labels: {
            type: 'array',
            items: { type: 'string' },
            maxItems: 20,
            description: 'All of these labels must be present',
          },
          since: { type: 'string', description: 'ISO 8601 date; older ones are left out' },
        },
        additionalProperties: false,
      },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'How many to return at most' },
      dryRun: { type: 'boolean', description: 'Only say what would be done' },
    },
    required: ['project', `${subject}Id`],
    additionalProperties: false,
  };
}
