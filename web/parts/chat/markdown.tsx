import { memo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";

/** A heading inside a message is a bold line, because the page has its own headings. */
const Heading: Components["p"] = ({ children }) => <p className="font-semibold">{children}</p>;

const components: Components = {
  // A single line break is kept, as in any messenger.
  p: ({ children }) => <p className="whitespace-pre-line">{children}</p>,
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  a: ({ href, children }) => (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-primary-text underline underline-offset-2"
    >
      {children}
    </a>
  ),
  // Images are not loaded: an external server would learn about the reader.
  img: ({ alt }) => <>{alt}</>,
  ul: ({ children }) => <ul className="list-disc ps-5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="list-decimal ps-5">
      {children}
    </ol>
  ),
  blockquote: ({ children }) => <blockquote className="border-control border-s ps-3">{children}</blockquote>,
  pre: ({ children }) => <pre className="overflow-x-auto rounded-sm bg-sunken p-3">{children}</pre>,
  code: ({ children }) => <code className="font-mono text-sm">{children}</code>,
  hr: () => <hr className="border-t" />,
};

/** HTML stays text, and the library removes addresses with unsafe protocols. */
export default memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="flex flex-col gap-2 whitespace-normal">
      <ReactMarkdown components={components}>{text}</ReactMarkdown>
    </div>
  );
});
