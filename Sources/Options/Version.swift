/// The project's version.
package let version = "0.1.0"
