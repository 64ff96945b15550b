import type { Annotations, Icon, MetaObject } from './common-types.ts';

/** Content blocks of tool results and prompt messages (server/tools, "Tool Result"). */

interface Block {
  readonly annotations?: Annotations;
  readonly _meta?: MetaObject;
}

export interface TextContent extends Block {
  readonly type: 'text';
  readonly text: string;
}

export interface ImageContent extends Block {
  readonly type: 'image';
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface AudioContent extends Block {
  readonly type: 'audio';
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface ResourceLink extends Block {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
}

export interface EmbeddedResource extends Block {
  readonly type: 'resource';
  readonly resource: ResourceContents;
}

export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

export interface TextResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text: string;
  readonly _meta?: MetaObject;
}

export interface BlobResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  /** Base64. */
  readonly blob: string;
  readonly _meta?: MetaObject;
}

export type ResourceContents = TextResourceContents | BlobResourceContents;
