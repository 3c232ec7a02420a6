// Stands in for @graphiql/react/dist/editor/components/image-preview.js, which
// fetches image URLs found in responses from their hosts when hovered.
export const ImagePreview = Object.assign(() => null, { shouldRender: () => false });
