// A page's template: HTML with mustache tags (mustache(5)), rendered with one request's data.
//
//   {{name}}           a text, escaped for HTML: also inside a quoted attribute, never inside an unquoted one
//   {{{karte_html}}}   HTML of our own making; only a name that ends in _html may stand there
//   {{#zeilen}} ... {{/zeilen}}, {{^zeilen}} ... {{/zeilen}}   a list, a flag, and its absence
//   {{> kopf}}         another text in this place; in a layout {{> inhalt}} is the page
//
// Every name must be among the data, a flag as false and a list as empty. Inside a list a name that its item
// does not have is looked for outside, as mustache has it: so give them different names.
#pragma once
#include <kainjow/mustache.hpp>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace http {

using TemplateData = kainjow::mustache::data;
using TemplateTexts = std::map<std::string, std::string, std::less<>>;  ///< by name

/// A mistake of ours in a template or in its data.
struct TemplateError : std::logic_error {
  using std::logic_error::logic_error;
};

/// Parsed once; any number of threads may render it.
class Template {
 public:
  /// Throws TemplateError: a text is missing, includes itself or is no template, or a name is not allowed.
  Template(const TemplateTexts& texts, const std::string& page, const std::string& layout = {});

  /// The HTML. A name that is not among the data, or whose value does not fit its tag, throws TemplateError.
  /// With `missing` (a running service) it is empty text instead, and the name is added there to be logged.
  std::string render(const TemplateData& data, std::vector<std::string>* missing = nullptr) const;

  struct Use {
    bool as_text = false;
    bool as_section = false;
  };

 private:
  std::string name_;
  std::map<std::string, Use, std::less<>> uses_;
  std::size_t length_ = 0;
  /// Its render() is not const but changes nothing while there are neither partials nor lambdas: partials are
  /// put in place here, lambdas refused.
  mutable kainjow::mustache::mustache parsed_;
};

}  // namespace http
